import { bothThemes, MONO, SANS } from '../web/tokens.ts'

/** The platform's receipt, at another company's counter. */
export const style = `${bothThemes}
*{box-sizing:border-box}html{-webkit-text-size-adjust:100%}
body{margin:0;background:var(--bg);color:var(--fg);font:14px/22px ${SANS};font-variant-numeric:tabular-nums}
main{width:min(1080px,100% - 40px);margin:0 auto;padding:32px 0 72px}
header{display:flex;align-items:flex-start;justify-content:space-between;gap:16px;margin-bottom:24px}
h1{margin:0;font-size:28px;line-height:36px}h2{margin:0 0 12px;font-size:18px;line-height:30px}header p{margin:4px 0 0;color:var(--fg-3)}
a{color:var(--brand-text)}.lang{flex:none;padding:8px 0;text-decoration:none;font-weight:500}
.num{font-family:${MONO}}.soft{color:var(--fg-3)}.bad{color:var(--danger)}.small{font-size:12px;line-height:18px}
.desk{display:grid;grid-template-columns:minmax(0,1fr) 380px;gap:40px;align-items:start}
.shops{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:8px;margin:0 0 20px;padding:0;border:0}
legend{padding:0;margin-bottom:8px;font-weight:600}
.shop{display:flex;gap:12px;align-items:center;min-height:64px;padding:10px 14px;border:1px solid var(--line);border-radius:10px;background:var(--surface);cursor:pointer}
.shop:hover{border-color:var(--control)}.shop:has(:checked){border-color:var(--brand);box-shadow:inset 0 0 0 1px var(--brand)}.shop:has(:focus-visible){outline:2px solid var(--brand);outline-offset:2px}
.shop input{position:absolute;opacity:0;width:1px;height:1px}
.mark{flex:none;display:grid;place-items:center;width:36px;height:36px;border-radius:8px;background:var(--sunken);font:600 13px/1 ${MONO};color:var(--fg-2)}
.shop .what{flex:1;min-width:0}.shop b{display:block;font:600 13px/20px ${MONO};overflow:hidden;text-overflow:ellipsis;white-space:nowrap}.shop small{display:block;color:var(--fg-3);font-size:12px;line-height:18px}.shop .num{font-size:13px}
.fields{display:grid;grid-template-columns:repeat(6,minmax(0,1fr));gap:14px 12px}
.field{display:grid;gap:4px;grid-column:span 3}.field.wide{grid-column:1/-1}.field.third{grid-column:span 2}.field span{font-size:13px;line-height:20px;color:var(--fg-2)}
.free{display:none;margin-bottom:14px}form:has([value=test]:checked) .free{display:grid}
input[type=text],select{width:100%;height:44px;padding:0 12px;border:1px solid var(--control);border-radius:8px;background:var(--surface);color:inherit;font:500 16px/22px ${MONO}}
select{font:400 14px/22px ${SANS}}
input[type=text]::placeholder{color:var(--control)}
:focus-visible{outline:2px solid var(--brand);outline-offset:1px}
details{margin:16px 0 0}summary{cursor:pointer;color:var(--fg-2);padding:6px 0}details .fields{margin-top:8px}
.check{display:flex;gap:8px;align-items:center;grid-column:1/-1;min-height:28px}.check input{width:18px;height:18px;accent-color:var(--brand)}
button{min-height:36px;padding:6px 14px;border:1px solid var(--control);border-radius:8px;background:none;color:inherit;font:500 13px/20px ${SANS};cursor:pointer}
button:hover{background:var(--sunken)}button.main{width:100%;min-height:48px;margin-top:20px;border-color:transparent;background:var(--brand);color:var(--on-brand);font-size:16px;font-weight:600}button.main:hover{background:var(--brand-hover)}
.outline{filter:drop-shadow(0 0 .5px var(--control)) drop-shadow(0 1px 1px var(--line));position:sticky;top:20px}
.receipt{--notch:7px;position:relative;padding:24px 28px 36px;background:var(--surface);-webkit-mask:radial-gradient(circle at 50% 100%,transparent var(--notch),#000 calc(var(--notch) + .5px)) 50% 100%/22px 100%;mask:radial-gradient(circle at 50% 100%,transparent var(--notch),#000 calc(var(--notch) + .5px)) 50% 100%/22px 100%}
.receipt .sum{margin:4px 0 12px;font:600 36px/44px ${MONO}}.sum.void{text-decoration:line-through;color:var(--fg-3)}.receipt .who{font:600 14px/22px ${MONO};margin:0;overflow-wrap:anywhere}
dl{margin:0;padding:10px 0;border-top:1px dashed var(--control);border-bottom:1px dashed var(--control)}.line{display:flex;align-items:baseline;gap:8px;padding:3px 0}.line dt{color:var(--fg-3);white-space:nowrap}.line i{flex:1;min-width:16px;border-bottom:2px dotted var(--control);opacity:.6;transform:translateY(-4px)}.line dd{margin:0;font:500 13px/20px ${MONO};text-align:right;overflow-wrap:anywhere}
.stamp{display:inline-block;margin:22px 0 4px;padding:2px 14px;border:3px solid;border-radius:8px;font-size:22px;line-height:34px;font-weight:700;letter-spacing:.04em;color:var(--seal);transform:rotate(-7deg)}.stamp.no{color:var(--danger)}
.bar{display:flex;flex-wrap:wrap;gap:8px 16px;align-items:center;justify-content:space-between;margin:48px 0 12px}.bar h2{margin:0}.bar form{display:flex;flex-wrap:wrap;gap:8px;align-items:center}
.item{padding:16px 18px;border:1px solid var(--line);border-radius:10px;background:var(--surface);margin-bottom:10px}
.top{display:flex;gap:12px;align-items:baseline;justify-content:space-between}.top b{font:600 14px/22px ${MONO};overflow-wrap:anywhere}.top .num{font-weight:600;white-space:nowrap}.item.void .top .num{text-decoration:line-through;color:var(--fg-3)}
.facts{display:flex;flex-wrap:wrap;gap:2px 14px;color:var(--fg-3);font-size:12px;line-height:18px}
.tag{padding:0 8px;border-radius:5px;background:var(--sunken);color:var(--fg-2);font-size:12px;line-height:20px;white-space:nowrap}.tag.good{background:var(--brand-soft);color:var(--brand-text)}.tag.no{color:var(--danger)}
.acts{display:flex;flex-wrap:wrap;gap:8px;align-items:center;margin-top:12px}.item details{margin:6px 0 0}.acts input[type=text]{width:104px;height:36px;font-size:14px}
.sub{margin-top:12px;padding-top:12px;border-top:1px dashed var(--line)}
.empty{border:1px dashed var(--control);border-radius:10px;padding:28px;text-align:center;color:var(--fg-3)}
.note{margin:0 0 16px;padding:10px 14px;border-radius:8px;border:1px solid var(--danger);color:var(--danger)}
.narrow{width:min(440px,100%);margin:0 auto}
@media(max-width:860px){.bar form{width:100%}.bar form span{width:100%}.bar button{flex:1;padding:6px 4px}main{width:min(100% - 32px,560px);padding-top:20px}.desk{grid-template-columns:minmax(0,1fr);gap:28px}.desk aside{order:-1}.desk aside.idle{display:none}.outline{position:static}.shops{grid-template-columns:minmax(0,1fr)}h1{font-size:24px;line-height:32px}.receipt{padding:20px 20px 32px}.field.third{grid-column:span 3}.field.third.last{grid-column:1/-1}button{min-height:44px}.acts input[type=text]{height:44px;font-size:16px}}
@media(prefers-reduced-motion:no-preference){.stamp{animation:stamp .22s cubic-bezier(.2,.8,.2,1)}@keyframes stamp{from{transform:rotate(-7deg) scale(1.5);opacity:0}}}`
