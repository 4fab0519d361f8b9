// Placeholder server while `npm start` installs, migrates and builds: browsers see the progress and load the page once it is ready. Programs get 503
// with Retry-After. Runs on Node 20.
import { createServer } from 'node:http'

const page = (
  /** @type {{ en: string, zh: string }} */ { en, zh },
) => `<!doctype html><html lang="zh"><meta charset="utf-8"><meta name="viewport" content="width=device-width">
<meta http-equiv="refresh" content="5"><title>明细 Mingxi</title>
<style>:root{color-scheme:light dark}body{font:16px/1.6 system-ui,"PingFang SC","Microsoft YaHei",sans-serif;display:grid;place-content:center;min-height:100vh;margin:0;padding:0 24px;text-align:center}
p{margin:4px 0}.en{opacity:.7}i{display:block;width:160px;height:3px;margin:20px auto;border-radius:2px;background:linear-gradient(90deg,transparent,currentColor,transparent) 0/60px no-repeat;animation:a 1.4s linear infinite}
@keyframes a{from{background-position:-60px}to{background-position:220px}}@media(prefers-reduced-motion:reduce){i{animation:none}}</style>
<h1>明细 Mingxi</h1><i></i><p>正在启动：${zh}。完成后自动打开本页。</p><p class="en" lang="en">${en} This page opens by itself.</p>
<script>setInterval(()=>fetch(location.href,{method:'HEAD'}).then(r=>{if(r.headers.get('x-mingxi-starting')!=='1')location.reload()},()=>{}),700)</script></html>`

/**
 * Serves the port until `close`; stays silent if the port is taken, which the server itself reports.
 * @param {NodeJS.ProcessEnv} env
 */
export function waitOn(env) {
  let doing = { en: 'Starting ...', zh: '准备' }
  const server = createServer((request, response) => {
    const isPage = request.headers.accept?.includes('text/html')
    const body = isPage ? page(doing) : JSON.stringify({ error: { message: doing.en, type: 'unavailable' } })
    response.writeHead(503, {
      'content-type': isPage ? 'text/html; charset=utf-8' : 'application/json; charset=utf-8',
      'retry-after': '1',
      'cache-control': 'no-store',
      'x-mingxi-starting': '1',
      'connection': 'close',
    })
    response.end(request.method === 'HEAD' ? undefined : body)
  })
  server.on('error', () => {})
  server.listen(Number(env.PORT ?? 3000), env.HOST || '0.0.0.0')
  const from = performance.now()
  return {
    /** Sets the current step: printed, and shown on the page. */
    say(/** @type {{ en: string, zh: string }} */ text) {
      doing = text
      console.log(`${((performance.now() - from) / 1000).toFixed(1).padStart(6)} s  ${text.en}`)
    },
    /** Resolves when the port is free again. */
    close: () =>
      new Promise((/** @type {(value?: unknown) => void} */ done) => {
        server.close(done)
        server.closeAllConnections()
      }),
  }
}
