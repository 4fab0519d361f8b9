import type { SandboxPanel } from '#platform/server/feature.ts'
import { LANGUAGES, DEFAULT_LANG } from '#platform/shared/languages.ts'

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)
type Cell = SandboxPanel['rows'][number][number]

function renderCell(value: Cell): string {
  if (typeof value === 'string') return escape(value)
  return /^\//.test(value.href) ? `<a href="${escape(value.href)}">${escape(value.text)}</a>` : escape(value.text)
}

/** The English words of a title as used in an address: "mails", "text-messages". */
export const toPanelId = ({ title }: SandboxPanel): string => [...title.matchAll(/[A-Za-z]+/g)].join('-').toLowerCase()

/**
 * The sandbox's page: one panel at a time, payments first. Tabs are links, so that it works without scripts, and the page reloads every few
 * seconds (header `refresh`) unless paused.
 */
export function renderSandboxPage(panels: readonly SandboxPanel[], shown: number, live: boolean): string {
  const address = (at: number, isLive = live) => `/sandbox?panel=${toPanelId(panels[at]!)}${isLive ? '' : '&live=0'}`
  const tabs = panels
    .map(
      ({ title, rows }, at) =>
        `<a href="${address(at)}"${at === shown ? ' aria-current="page"' : ''}>${escape(title)} <span class="count">${rows.length}</span></a>`,
    )
    .join('')
  const panel = panels[shown]
  return `<!doctype html><html lang="${LANGUAGES[DEFAULT_LANG].tag}"><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>沙箱 Sandbox</title><style>${STYLE}</style></head>
<body><main><header><div><h1>沙箱 Sandbox</h1><p>代替外部世界：邮件、短信和付款都停在这里，不会真的发出。 Stands in for the outside world: nothing leaves this machine.</p></div>
<a class="live" href="${address(shown, !live)}">${live ? '● 每 5 秒刷新，点此暂停 Live, pause' : '○ 已暂停，点此恢复 Paused, resume'}</a></header>
<nav aria-label="沙箱 Sandbox">${tabs}</nav>${panel ? renderSection(panel) : ''}</main></body></html>`
}

/** A table on desktop; on a phone each row is a card with labelled cells. */
function renderSection({ title, about, columns, rows, hints }: SandboxPanel): string {
  const row = (cells: readonly Cell[]) =>
    `<tr>${cells.map((value, at) => `<td data-name="${escape(columns[at] ?? '')}"><div>${renderCell(value)}</div></td>`).join('')}</tr>`
  const table = `<table><thead><tr>${columns.map((name) => `<th scope="col">${escape(name)}</th>`).join('')}</tr></thead><tbody>${rows.map(row).join('')}</tbody></table>`
  return `<section aria-label="${escape(title)}"><p>${escape(about)}</p>${rows.length ? table : '<p class="empty">还没有 Nothing yet</p>'}${hints ? renderHints(hints) : ''}</section>`
}

/** The list of inputs to try, below the panel's rows. */
function renderHints({ title, items }: NonNullable<SandboxPanel['hints']>): string {
  const item = ([sign, text]: readonly [string, string]) => `<li><b>${escape(sign)}</b> ${escape(text)}</li>`
  return `<h2>${escape(title)}</h2><ul class="hints">${items.map(item).join('')}</ul>`
}

const STYLE = `:root{color-scheme:light dark;--line:#dbe1e2;--bg:#f7fbfc;--card:#fff;--text:#131b1c;--soft:#5f686a;--brand:#16705b}@media(prefers-color-scheme:dark){:root{--line:#292f30;--bg:#0b0f10;--card:#121718;--text:#ecf1f2;--soft:#909a9c;--brand:#64d6b5}}
*{box-sizing:border-box}body{margin:0;background:var(--bg);color:var(--text);font:14px/22px -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}main{max-width:1200px;margin:0 auto;padding:28px 20px 64px}
header{display:flex;flex-wrap:wrap;gap:8px 24px;align-items:flex-start;justify-content:space-between}h1{font-size:24px;line-height:32px;margin:0}p{color:var(--soft);margin:4px 0 12px}a{color:var(--brand)}
.live{font-size:13px;white-space:nowrap;padding:6px 0;text-decoration:none}nav{display:flex;gap:20px;overflow-x:auto;border-bottom:1px solid var(--line);margin:12px 0 16px}
nav a{flex:none;padding:10px 0;margin-bottom:-1px;border-bottom:2px solid transparent;color:var(--soft);text-decoration:none;font-weight:500}nav a[aria-current]{color:var(--text);border-color:var(--brand)}.count{font-weight:400;font-size:12px;color:var(--soft)}
table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:10px 16px 10px 0;border-top:1px solid var(--line);vertical-align:top;overflow-wrap:anywhere}td:not(:last-child){min-width:88px}td div{white-space:pre-wrap}th{font-weight:500;color:var(--soft);border-top:0;white-space:nowrap}
.hints{list-style:none;margin:0;padding:0;display:grid;grid-template-columns:repeat(auto-fill,minmax(160px,1fr));gap:4px 20px;color:var(--soft);font-variant-numeric:tabular-nums}.hints b{display:inline-block;min-width:32px;color:var(--text);font-weight:500}h2{font-size:15px;line-height:22px;margin:28px 0 10px}
.empty{border:1px dashed var(--line);border-radius:8px;padding:20px;text-align:center}
@media(max-width:720px){main{padding:20px 16px 48px}thead{position:absolute;display:block;width:1px;height:1px;overflow:hidden;clip-path:inset(50%)}table,tbody,tr,td{display:block}tr{background:var(--card);border:1px solid var(--line);border-radius:10px;padding:4px 14px;margin-bottom:10px}td{display:flex;gap:12px;padding:9px 0;min-width:0}tr td:first-child{border-top:0}td::before{content:attr(data-name);flex:none;width:84px;color:var(--soft);font-size:13px}td div{min-width:0;flex:1}td a{display:inline-flex;align-items:center;min-height:24px}nav a{padding:13px 0}.live{padding:10px 0}}`
