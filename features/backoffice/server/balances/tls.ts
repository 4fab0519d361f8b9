import { connect } from 'node:tls'
import type { Deps } from '#platform/server/feature.ts'
import { certificateHosts } from '../settings.ts'

export interface PresentedCertificate {
  readonly issuer: string
  readonly expiresAt: Date
}
export type ReadTlsCertificate = (name: string) => Promise<PresentedCertificate>

const DEADLINE_MS = 8_000

/** TLS hosts to check, as `host` or `host:port`: our own origins and those that operators configure. */
export async function listTlsHosts({ config, settings, publicUrl, siteUrl }: Pick<Deps, 'config' | 'settings' | 'publicUrl' | 'siteUrl'>): Promise<string[]> {
  const own = [publicUrl(), siteUrl(), config['CONSOLE_URL']].flatMap((url) => (typeof url === 'string' && url.startsWith('https:') ? [new URL(url).host] : []))
  return [...new Set([...own, ...(await settings.get(certificateHosts))])].toSorted()
}

/** Reads the certificate that a host presents. It is not validated, so an invalid one is reported too. */
export function readTlsCertificate(name: string): Promise<PresentedCertificate> {
  const [host = '', port = '443'] = name.split(':')
  return new Promise((tell, refuse) => {
    const socket = connect({ host, port: Number(port), servername: host, rejectUnauthorized: false, timeout: DEADLINE_MS }, () => {
      const found = socket.getPeerCertificate()
      socket.destroy()
      const expiresAt = new Date(found.valid_to)
      if (Number.isNaN(expiresAt.getTime())) refuse(new Error('no certificate'))
      else tell({ issuer: String(found.issuer?.O ?? found.issuer?.CN ?? '').slice(0, 200), expiresAt })
    })
    socket.on('timeout', () => socket.destroy(new Error(`no answer within ${DEADLINE_MS / 1000} s`)))
    socket.on('error', (error: NodeJS.ErrnoException) => refuse(new Error(error.code ?? error.message)))
  })
}
