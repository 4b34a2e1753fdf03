import { createContentLoader } from '/work/main/server/content/loader.ts';
import { reportFaults } from '/work/main/server/content/report.ts';
const [dir, data='/tmp/cdata', threads='2'] = process.argv.slice(2);
const brand = { id:'millrace', name:'Millrace', legalName:'Millrace Software Ltd.', tagline:'', description:'', domain:'', supportEmail:'s@x', salesEmail:'', privacyEmail:'', securityEmail:''};
const t0=performance.now();
const loader = createContentLoader({contentDir: dir!, builtInDir:'/work/main/content', dataDir: data, brand, authors:new Map(), tags:new Map(), siteAddresses:new Set(['/','/pricing','/connector','/docs','/blog']), catalogueIds:new Set(), production:false, now:new Date(), threads:Number(threads)});
let peak=0; const timer=setInterval(()=>{peak=Math.max(peak,process.memoryUsage.rss())},20);
const c = await loader.load();
clearInterval(timer); 
console.log(c.stats, 'docs',c.docs.size,'posts',c.posts.size,'faults',c.faults.length,'total ms',Math.round(performance.now()-t0),'peak',Math.round(process.resourceUsage().maxRSS/1e3),'rss',Math.round(process.memoryUsage.rss()/1e6), loader.warning??'','cpu',Math.round((process.cpuUsage().user+process.cpuUsage().system)/1000));
if (process.env.FAULTS) console.log(reportFaults(c.faults));
if (process.env.RULES) console.log(Object.fromEntries([...Map.groupBy(c.faults,f=>f.rule)].map(([k,v])=>[k,v.length])));
if (process.env.BODIES) { const t=performance.now(); let n=0; for (const p of [...c.docs.keys(),...c.posts.keys()]) n+=c.body(p).text.length; console.log('bodies',n,Math.round(performance.now()-t),'ms'); }
if (process.env.SIDEBAR) console.log(JSON.stringify(c.sidebar,null,1).slice(0,6000));
(globalThis as any).content=c;

import { appendFileSync } from 'node:fs';
for (let i=0;i<4;i++){ const f=dir+'/docs/copy3/intro/product_intro.md'; appendFileSync(f, i===2?'\n\n## New heading '+Date.now()+'\n':'\n\nChanged '+i+Date.now()); const t=performance.now(); const n=await loader.reload([f]); console.log('reload',n.stats,Math.round(performance.now()-t),'rss',Math.round(process.memoryUsage.rss()/1e6)); }
const tt=performance.now(); let n=0; for (const p of c.docs.keys()) n+=c.body(p).text.length; console.log('bodies',n,Math.round(performance.now()-tt),'ms rss',Math.round(process.memoryUsage.rss()/1e6));
await loader.close();
