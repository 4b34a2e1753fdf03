import { frameIds } from './frame-ids.ts';

/**
 * Classic script that every page carries inline in <head>, allowed by its hash in the policy: before the first paint it
 * marks <html> with what the browser has stored, so nothing flashes or jumps. It is a string and not a function because
 * the pages print it and the server hashes it, and a bundler would give them different texts. It also starts the page's
 * script after that paint, out of the template that holds it back (server/site/page-script.ts): a hidden page paints
 * nothing, so there the script starts at once. An account form that is submitted before that script has attached to it
 * stays as it is, marked data-sent, and is sent later: the browser alone would send the password as typed. A `/` that
 * is pressed before that script listens, and what is typed after it, is kept in data-search for the search box, unless
 * that script will not come. Marks:
 * data-js (scripts run), data-files-missing (the page's script did not load; browsers load none for a page saved to
 * disk), data-theme, data-dismissed (this announcement), data-user and --greeting (signed in).
 */
export const firstPaint = [
  '(function(h){h.dataset.js="";',
  'addEventListener("error",function(e){if(e.target.localName==="script"&&location.protocol!=="file:")h.dataset.filesMissing=""},true);',
  'addEventListener("submit",function(e){var f=e.target.dataset;',
  'if("accountForm"in f&&!("attached"in f)){e.preventDefault();f.sent=""}});',
  'addEventListener("keydown",function(e){var s=h.dataset,k=e.key;',
  'if("filesMissing"in s||location.protocol==="file:"||e.defaultPrevented||e.ctrlKey||e.metaKey||e.altKey||k.length!==1||',
  'e.target.closest("input,textarea,select,[contenteditable]"))return;',
  'if("search"in s)s.search+=k;else if(k==="/")s.search="";else return;e.preventDefault()});',
  `addEventListener("DOMContentLoaded",function(){var d=document,t=d.getElementById("${frameIds.pageScript}"),`,
  'go=function(){t.replaceWith(t.content)},P=self.PerformanceObserver;if(!t)return;',
  'if(d.hidden||!P||!(P.supportedEntryTypes||[]).includes("paint"))return go();',
  'new P(go).observe({type:"paint",buffered:true});addEventListener("visibilitychange",go)});try{',
  'var s=localStorage,t=s.getItem("theme"),u;',
  'if(t==="light"||t==="dark")h.dataset.theme=t;',
  'if(h.dataset.announcement===s.getItem("announcement"))h.dataset.dismissed="";',
  'if(s.getItem("token")||s.getItem("jwt_token"))u=JSON.parse(s.getItem("user-store")).userInfo;',
  'if(u.uid){h.dataset.user="";',
  'h.style.setProperty("--greeting",JSON.stringify("Hello, "+(u.username||u.email||"User")))}',
  '}catch(e){}})(document.documentElement)',
].join('');
