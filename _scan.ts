import { createCompiler } from './server/content/compile.ts';
import { readFileSync, readdirSync } from 'node:fs';
const brand:any = { id:'millrace', name:'Millrace', legalName:'', tagline:'', description:'', domain:'', supportEmail:'s@x', salesEmail:'', privacyEmail:'', securityEmail:''};
const c = await createCompiler(brand);
const pat = /(:::|\{\{[<%]|<\/?[A-Z]\w+|^!!!|^\?\?\?|^=== |\bimport .* from |export const|\{#[\w-]|\{\/\*|<!--|md-[a-z]+|className=)/m;
for (const d of process.argv.slice(2)) {
 const files=(readdirSync(d,{recursive:true}) as string[]).filter(f=>/\.mdx?$/.test(f)&&!f.includes('node_modules'));
 let n=0;
 for (const f of files){ const p=await c({file:'docs/'+f,kind:'doc',source:readFileSync(d+'/'+f,'utf8')}); if(p.broken)console.log('BROKEN',f,p.broken);
  const out:string[]=[]; const walk=(x:any)=>{ if(x.type==='element'&&(x.tagName==='code'||x.tagName==='pre'))return; if(x.type==='element'&&x.tagName.startsWith('md-'))out.push('ELEMENT '+x.tagName); if(x.type==='text'&&pat.test(x.value)) out.push(x.value.slice(Math.max(0,x.value.search(pat)-40),x.value.search(pat)+80).replace(/\n/g,'⏎')); for(const k of x.children??[])walk(k);}; walk(p.body.tree);
  for(const o of out.slice(0,3)) {n++; if(n<30) console.log(f,'|',o);} }
 console.log('##',d,files.length,n);
}
