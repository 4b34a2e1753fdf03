// A browser without modules runs nothing else of ours: it gets the page that one without scripts gets.
document.documentElement.removeAttribute('data-js');
