import type { RawReply, RawRoute } from '#platform/server/feature.ts'
import { findMailFile, findMail } from '../data.ts'
import { isMailAddressSigned, loadMailKey, openMailBytes } from '../secrets.ts'
import { unsealMail } from './verbs.ts'

const GONE: RawReply = { status: 404, type: 'text/plain; charset=utf-8', body: 'not here, or not any more' }
/** Policy of the sandboxed frame: no scripts, no requests, links open in a new tab. */
const POLICY = `sandbox allow-popups allow-popups-to-escape-sandbox; default-src 'none'; img-src data:; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'; frame-ancestors 'self'`
const STYLE = `html{color-scheme:light;background:#fff}body{margin:0;padding:20px;color:#131b1c;font:15px/1.6 -apple-system,"PingFang SC","Microsoft YaHei","Noto Sans CJK SC",sans-serif;overflow-wrap:anywhere}img{max-width:100%;height:auto}table{max-width:100%}a{color:#16705b}pre{white-space:pre-wrap}`

/** A mail's page and files, at a signed URL that is valid for one user and five minutes. */
export const signedRoutes: readonly RawRoute[] = [
  {
    method: 'GET',
    path: '/mail/page/{id}',
    role: 'api',
    handle: async (deps, { params, query }) => {
      const id = params['id'] ?? ''
      if (!isMailAddressSigned(deps, id, query)) return GONE
      const userId = query['u'] ?? ''
      const [mail, key] = await Promise.all([findMail(deps.db, id, userId), loadMailKey(deps, deps.db, userId)])
      if (!mail || !key) return GONE
      const { html } = unsealMail(key, mail)
      return {
        status: 200,
        type: 'text/html; charset=utf-8',
        headers: { 'content-security-policy': POLICY, 'x-frame-options': 'SAMEORIGIN', 'cache-control': 'no-store' },
        body: `<!doctype html><html><head><meta charset="utf-8"><meta name="viewport" content="width=device-width,initial-scale=1"><meta name="referrer" content="no-referrer"><style>${STYLE}</style></head><body>${html}</body></html>`,
      }
    },
  },
  {
    method: 'GET',
    path: '/mail/file/{id}',
    role: 'api',
    handle: async (deps, { params, query }) => {
      const id = params['id'] ?? ''
      if (!isMailAddressSigned(deps, id, query)) return GONE
      const userId = query['u'] ?? ''
      const [file, key] = await Promise.all([findMailFile(deps.db, id, userId), loadMailKey(deps, deps.db, userId)])
      if (!file || !key) return GONE
      const name = openMailBytes(key, `${file.id}.name`, file.name).toString('utf8')
      return {
        status: 200,
        // Always a download, whatever type the file declares
        type: 'application/octet-stream',
        headers: { 'content-disposition': `attachment; filename*=UTF-8''${encodeURIComponent(name)}`, 'cache-control': 'no-store' },
        body: openMailBytes(key, file.id, file.sealed),
      }
    },
  },
]
