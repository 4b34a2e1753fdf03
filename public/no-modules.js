// A browser without modules runs none of our other scripts, so it gets the page for browsers without scripts.
document.documentElement.removeAttribute('data-js');
