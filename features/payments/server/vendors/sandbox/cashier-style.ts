/** A receipt of its own, in both themes; served as a file because the page allows no inline style. */
export const cashierStyle = `
:root{color-scheme:light dark;--bg:#f7fbfc;--paper:#fff;--text:#131b1c;--soft:#5f686a;--line:#7e888a;--brand:#16705b;--on:#fff;--bad:#c1253b;--seal:#cc3719}
@media(prefers-color-scheme:dark){:root{--bg:#0b0f10;--paper:#141819;--text:#ecf1f2;--soft:#909a9c;--line:#616b6d;--brand:#64d6b5;--on:#0b0f10;--bad:#f77d80;--seal:#f26549}}
*{box-sizing:border-box}
body{margin:0;background:var(--bg);color:var(--text);font:14px/22px -apple-system,BlinkMacSystemFont,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;font-variant-numeric:tabular-nums}
main{width:min(420px,100% - 32px);margin:32px auto;padding:28px 24px;background:var(--paper);border:1px solid color-mix(in srgb,var(--line) 40%,transparent);border-radius:14px}
h1{margin:4px 0 16px;font-size:20px;line-height:28px}
.tag{display:inline-block;margin:0;padding:1px 8px;border-radius:5px;background:color-mix(in srgb,var(--brand) 14%,transparent);color:var(--brand);font-size:12px;line-height:20px}
.sum{margin:0 0 12px;font:600 36px/44px ui-monospace,Menlo,Consolas,monospace}
dl{margin:0;padding:12px 0;border-top:1px dashed var(--line);border-bottom:1px dashed var(--line)}
.row{display:flex;align-items:baseline;gap:8px}
dt{display:flex;flex:1;align-items:baseline;gap:8px;color:var(--soft);white-space:nowrap}dt::after{content:"";flex:1;min-width:16px;border-bottom:2px dotted var(--line);opacity:.5;transform:translateY(-4px)}dd{margin:0;overflow-wrap:anywhere;text-align:right;font-family:ui-monospace,Menlo,Consolas,monospace;font-size:13px}
form{display:grid;gap:8px;margin-top:20px}
button{display:flex;justify-content:space-between;align-items:baseline;gap:12px;min-height:44px;padding:10px 14px;border:1px solid var(--line);border-radius:8px;background:none;color:inherit;font:600 14px/22px inherit;font-family:inherit;text-align:left;cursor:pointer}
button small{color:var(--soft);font-weight:400;font-size:12px}button.main{background:var(--brand);border-color:transparent;color:var(--on)}button.main small{color:inherit;opacity:.85}
label{display:flex;align-items:center;gap:12px;margin-top:8px;color:var(--soft);font-size:13px}input{flex:1;min-width:0;min-height:44px;padding:8px 12px;border:1px solid var(--line);border-radius:8px;background:none;color:var(--text);font:13px/20px ui-monospace,Menlo,Consolas,monospace}
button:hover{border-color:var(--text)}:focus-visible{outline:2px solid var(--brand);outline-offset:2px}
.stamp{display:inline-block;margin:24px 0 8px;padding:4px 18px;border:3px solid;border-radius:8px;color:var(--seal);font-size:26px;line-height:38px;font-weight:700;transform:rotate(-9deg)}
.bad{color:var(--bad);font-weight:600}.note{color:var(--soft)}.back{margin:20px 0 0}a{color:var(--brand)}
@media(max-width:720px){main{margin:16px auto;padding:24px 20px}button{flex-wrap:wrap}}
`
