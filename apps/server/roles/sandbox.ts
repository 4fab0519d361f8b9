import type { FastifyInstance } from 'fastify'
import type { Deps, Feature, SandboxPanel } from '#platform/server/feature.ts'

/** `/sandbox`: where a person reads the mails that were not sent, presses "pay", and finds the magic inputs. */
export async function mountSandbox(app: FastifyInstance, deps: Deps, features: readonly Feature[]): Promise<void> {
  const sources = features.flatMap((feature) => feature.sandboxPanels ?? [])
  app.get('/sandbox', async (_request, reply) => {
    const panels = await Promise.all(sources.map((source) => source(deps)))
    return reply
      .type('text/html; charset=utf-8')
      .headers({
        'cache-control': 'no-store',
        'content-security-policy': `default-src 'none'; style-src 'unsafe-inline'; form-action 'self'; frame-ancestors 'none'; base-uri 'none'`,
      })
      .send(page(panels))
  })
}

const escape = (text: string) => text.replace(/[&<>"']/g, (sign) => `&#${sign.charCodeAt(0)};`)

function cell(value: string | { text: string; href: string }): string {
  if (typeof value === 'string') return escape(value)
  return /^\//.test(value.href) ? `<a href="${escape(value.href)}">${escape(value.text)}</a>` : escape(value.text)
}

function page(panels: readonly SandboxPanel[]): string {
  const section = (panel: SandboxPanel) =>
    `<section><h2>${escape(panel.title)}</h2><p>${escape(panel.about)}</p>${
      panel.rows.length
        ? `<div class="scroll" tabindex="0" role="region" aria-label="${escape(panel.title)}"><table><thead><tr>${panel.columns.map((name) => `<th scope="col">${escape(name)}</th>`).join('')}</tr></thead><tbody>${panel.rows.map((row) => `<tr>${row.map((value) => `<td>${cell(value)}</td>`).join('')}</tr>`).join('')}</tbody></table></div>`
        : '<p class="empty">还没有 · Nothing yet</p>'
    }</section>`
  return `<!doctype html><html lang="zh-CN"><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><title>沙箱 Sandbox</title>
<style>:root{color-scheme:light dark;--line:#dbe1e2;--bg:#f7fbfc;--text:#131b1c;--soft:#5f686a;--brand:#16705b}@media(prefers-color-scheme:dark){:root{--line:#292f30;--bg:#0b0f10;--text:#ecf1f2;--soft:#909a9c;--brand:#64d6b5}}
body{margin:0;background:var(--bg);color:var(--text);font:14px/22px -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif}main{max-width:1100px;margin:0 auto;padding:32px 20px}h1{font-size:28px;line-height:36px;margin:0}h2{font-size:18px;margin:32px 0 0}p{color:var(--soft);margin:4px 0 12px}
.scroll{overflow:auto}table{border-collapse:collapse;width:100%;font-variant-numeric:tabular-nums}th,td{text-align:left;padding:10px 12px;border-top:1px dashed var(--line);white-space:pre-wrap;overflow-wrap:anywhere;vertical-align:top}th{font-weight:500;color:var(--soft);border-top:0;white-space:nowrap}a{color:var(--brand)}.empty{border:1px dashed var(--line);padding:16px}</style>
<body><main><h1>沙箱 Sandbox</h1><p>本页代替外部世界：没有真实的邮件、付款和模型调用。刷新看最新。 This page stands in for the outside world; reload for the latest.</p>${panels.map(section).join('')}</main></body></html>`
}
