import { createCompiler } from './server/content/compile.ts';
import { readFileSync } from 'node:fs';
import {toHtml} from 'hast-util-to-html';
const brand:any = { id:'millrace', name:'Millrace', legalName:'M Ltd', tagline:'', description:'', domain:'', supportEmail:'s@x', salesEmail:'', privacyEmail:'', securityEmail:''};
const c = await createCompiler(brand);
const p=await c({file:process.argv[2]!,kind:'doc',source:readFileSync(process.argv[2]!,'utf8')});
console.log(toHtml(p.body.tree)); if(process.argv[3]) console.log(p.facts, p.broken);
