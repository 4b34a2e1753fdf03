-- One trial an installation, whoever asks for it.
CREATE TABLE trial (installation TEXT PRIMARY KEY);
INSERT INTO trial (installation) SELECT DISTINCT installation FROM licence WHERE edition = 'TRIAL';
