import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { bareEnv } from '../../server/testing/bare-env.ts';
import { testedProgram } from '../../server/testing/tested-program.ts';
import { startSite } from './site.ts';

// A content folder with three faults, read by real processes, as an author and an operator would start them.

const root = resolve(import.meta.dirname, '../..');
const rows = 'Rows that change at the source are written at the target within three seconds.';

const files = {
  'docs/guide/sound.md': `---\ntitle: Sound\n---\n\n${rows}\n\n## Grants\n\nSee [the other](other.md#steps).\n`,
  'docs/guide/other.md': `---\ntitle: Other\n---\n\n## Steps\n\n${rows}\n\nRead [what is gone](gone.md) first.\n`,
  'docs/guide/picture.md': `---\ntitle: Picture\n---\n\n${rows}\n\n\n![A gate](gate.png)\n`,
  'docs/guide/front.md': `---\ntitle: Front\ndescription: [one, two]\n---\n\n${rows}\n`,
};

let folder = '';
beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'millrace-faults-'));
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(folder, 'content', name)), { recursive: true });
    await writeFile(join(folder, 'content', name), text);
  }
});
afterAll(() => rm(folder, { recursive: true, force: true }));

interface Ended {
  code: number | null;
  output: string;
}

/** Runs a script of this repository until it exits on its own. */
function run(args: string[], env: Record<string, string> = {}): Promise<Ended> {
  const own = { ...bareEnv(), DATA_DIR: join(folder, 'data'), ...env };
  return new Promise((done) => {
    const child = execFile(
      process.execPath,
      args,
      { cwd: root, env: own, timeout: 590_000 },
      (_error, stdout, stderr) => done({ code: child.exitCode, output: stdout + stderr }),
    );
  });
}

/** Each fault as `file:line`, from a report with a file's name above its faults. */
function placesIn(report: string): string[] {
  let file = '';
  return report.split('\n').flatMap((line) => {
    file = /^\S+\.\w+$/.exec(line.trim())?.[0] ?? file;
    const at = /^\s*(\d+):\d+/.exec(line)?.[1];
    return at === undefined ? [] : [`${file}:${at}`];
  });
}

const places = ['docs/guide/front.md:3', 'docs/guide/other.md:9', 'docs/guide/picture.md:8'];

describe('a folder with a broken link, a bad front matter and a missing picture', () => {
  test('check:content reports these three by line, and fails', async () => {
    const { code, output } = await run(['scripts/check-content.ts', join(folder, 'content')]);
    expect(placesIn(output).sort()).toEqual(places);
    expect(output).toContain('gone.md');
    expect(output).toContain('gate.png');
    expect(code).toBe(1);
  });

  test('STRICT_CONTENT aborts the start with the same report', async () => {
    const { code, output } = await run([testedProgram('main')], {
      CONTENT_DIR: join(folder, 'content'),
      STRICT_CONTENT: '1',
      PORT: '0',
      CONSOLE_PORT: '0',
      HOST: '127.0.0.1',
    });
    expect(code).toBe(1);
    for (const name of ['front.md', 'other.md', 'picture.md', 'gone.md', 'gate.png']) expect(output).toContain(name);
    expect(output).not.toContain('sound.md');
  });

  test('without STRICT_CONTENT the site runs, and the log lists each fault', async () => {
    const site = await startSite({ env: { CONTENT_DIR: join(folder, 'content'), STRICT_CONTENT: '0' } });
    try {
      for (const page of ['sound', 'other', 'picture', 'front']) {
        const response = await fetch(`${site.url}/docs/guide/${page}`, { headers: { Connection: 'close' } });
        expect([page, response.status]).toEqual([page, 200]);
        expect(await response.text()).toContain(rows);
      }
    } finally {
      expect(await site.stop()).toBe(0);
    }
    // The log is complete only once the process has exited.
    const logged = site
      .output()
      .split('\n')
      .filter((line) => line.includes('"level":40'));
    for (const place of places) expect(logged.filter((line) => line.includes(`content: ${place}:`))).toHaveLength(1);
    expect(logged).toHaveLength(places.length);
  });
});

test('check:content fails for a folder that does not exist', async () => {
  const { code, output } = await run(['scripts/check-content.ts', join(folder, 'nowhere')]);
  expect(output).toContain(`There is no content in ${join(folder, 'nowhere')}:`);
  expect(code).toBe(1);
});

test('check:content finds no faults in our own content', async () => {
  const { code, output } = await run(['scripts/check-content.ts']);
  expect(output).toMatch(/no faults/);
  expect(output).toMatch(/\b[1-9]\d+ pages checked/);
  expect(code).toBe(0);
});
