// Minimal client of the accelerated browser, as a reference for implementers and for tests: exchanges its token for proxy credentials, opens one
// address through the proxy and prints the response. `node scripts/browser-client.ts SITE TOKEN http://example.com/`
import { request } from 'node:http'

export interface ProxyClientSession {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
  readonly username: string
  readonly password: string
  readonly expiresTime: string
  readonly renewAfter: number
}

/** Requests credentials; throws with the site's message if it refuses. Clients renew after `renewAfter` seconds. */
export async function openProxyClientSession(site: string, token: string): Promise<ProxyClientSession> {
  const reply = await fetch(`${site}/v1/tool/proxy/browser/session`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'language': 'en' },
    body: JSON.stringify({ token }),
  })
  const { code, msg, data } = (await reply.json()) as { code: number; msg: string; data: ProxyClientSession }
  if (code !== 200) throw new Error(msg)
  return data
}

/** Opens one plain http address through the proxy. */
export function fetchThroughProxy({ host, port, username, password }: ProxyClientSession, url: string): Promise<{ status: number; body: string }> {
  const auth = `Basic ${Buffer.from(`${username}:${password}`).toString('base64')}`
  return new Promise((done, failed) => {
    request({ host, port, path: url, headers: { 'host': new URL(url).host, 'proxy-authorization': auth } })
      .on('response', (reply) => {
        let body = ''
        reply
          .on('error', failed)
          .on('data', (chunk) => (body += chunk))
          .on('end', () => done({ status: reply.statusCode ?? 0, body }))
      })
      .on('error', failed)
      .end()
  })
}

if (import.meta.main) {
  const [site = '', token = '', url = 'http://example.com/'] = process.argv.slice(2)
  const session = await openProxyClientSession(site, token)
  const { status, body } = await fetchThroughProxy(session, url)
  console.log(`${url} through ${session.host}:${session.port}: ${status}, ${body.length} bytes; credentials until ${session.expiresTime}`)
}
