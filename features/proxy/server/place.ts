import type { ConfigOf, PlatformConfig } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { proxyConfig } from './config.ts'

type Config = PlatformConfig & ConfigOf<typeof proxyConfig>
export const proxyConfigOf = (deps: Pick<Deps, 'config'>): Config => deps.config as unknown as Config

/** Where the proxy listens; 0 for any free port. */
export function proxyPortOf({ PORT, PROXY_PORT }: Pick<Config, 'PORT' | 'PROXY_PORT'>): number {
  return PROXY_PORT ?? (PORT === 0 ? 0 : PORT > 63_535 ? PORT - 2000 : PORT + 2000)
}

/** In production no port is opened for strangers unless somebody said under which address they are to reach it. */
export const isProxyMeant = ({ STAGE, PROXY_PUBLIC }: Pick<Config, 'STAGE' | 'PROXY_PUBLIC'>): boolean => STAGE !== 'production' || PROXY_PUBLIC !== undefined

let listens: number | undefined
/** The port that this process really got: the one to tell where any free one was asked for. */
export const nowListensAt = (port: number | undefined): void => {
  listens = port
}

/** Where this process itself serves the proxy; undefined where it does not. It takes plain HTTP there, whatever customers speak. */
export const ownProxy = (): string | undefined => (listens === undefined ? undefined : `http://127.0.0.1:${listens}`)

export interface Place {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

/** What customers are given. */
export function proxyPlace(deps: Pick<Deps, 'config' | 'siteUrl'>): Place {
  const config = proxyConfigOf(deps)
  const scheme = config.PROXY_TLS_CERT && config.PROXY_TLS_KEY ? 'https' : 'http'
  const [host, port] = config.PROXY_PUBLIC?.split(/:(?=\d+$)/) ?? [new URL(deps.siteUrl()).hostname, String(listens ?? proxyPortOf(config))]
  return { scheme, host: host!, port: Number(port) }
}
