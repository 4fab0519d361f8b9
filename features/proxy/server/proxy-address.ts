import { type ConfigOf, type PlatformConfig, readNamedSecret } from '#platform/server/config.ts'
import type { Deps } from '#platform/server/feature.ts'
import type { proxyConfig } from './config.ts'
import type { Lang } from '#platform/shared/texts.ts'
import type { DialExit } from './engine/dial.ts'
import type { Exit } from './engine/exits.ts'
import { proxyExits } from './settings.ts'

/** Exits that can be chosen now, the default first. */
export const listOpenExits = async (deps: Pick<Deps, 'settings'>): Promise<readonly Exit[]> => (await deps.settings.get(proxyExits)).filter(({ isOn }) => isOn)

export const translateExitName = (exit: Exit, lang: Lang): string => exit[lang]

/**
 * Exit through which tunnels of an account leave; undefined if directly from this machine. Throws if the exit was removed, rather than use
 * another than the one sold.
 */
export function resolveDialExit(exits: readonly Exit[], id: string): DialExit | undefined {
  const exit = exits.find((one) => one.id === id)
  if (!exit) throw new Error(`there is no exit ${id}`)
  return exit.url === undefined ? undefined : { url: exit.url, auth: exit.secret === undefined ? undefined : readNamedSecret(exit.secret) }
}

type Config = PlatformConfig & ConfigOf<typeof proxyConfig>
export const readProxyConfig = (deps: Pick<Deps, 'config'>): Config => deps.config as unknown as Config

/** Port of the proxy; 0 for any free one. */
export function resolveProxyPort({ PORT, PROXY_PORT }: Pick<Config, 'PORT' | 'PROXY_PORT'>): number {
  return PROXY_PORT ?? (PORT === 0 ? 0 : PORT > 63_535 ? PORT - 2000 : PORT + 2000)
}

/** False in production unless `PROXY_PUBLIC` is set: no port is opened without an address at which customers reach it. */
export const isProxyEnabled = ({ STAGE, PROXY_PUBLIC }: Pick<Config, 'STAGE' | 'PROXY_PUBLIC'>): boolean => STAGE !== 'production' || PROXY_PUBLIC !== undefined

let listeningPort: number | undefined
/** Stores the port in use, which matters if any free one was requested. */
export const setListeningPort = (port: number | undefined): void => {
  listeningPort = port
}

/** URL of the proxy in this process; undefined if it serves none. Plain HTTP, even if customers use TLS. */
export const getOwnProxyUrl = (): string | undefined => (listeningPort === undefined ? undefined : `http://127.0.0.1:${listeningPort}`)

export interface ProxyAddress {
  readonly scheme: 'http' | 'https'
  readonly host: string
  readonly port: number
}

/** Address of the proxy for customers. */
export function resolveProxyAddress(deps: Pick<Deps, 'config' | 'siteUrl'>): ProxyAddress {
  const config = readProxyConfig(deps)
  const scheme = config.PROXY_TLS_CERT && config.PROXY_TLS_KEY ? 'https' : 'http'
  const [host, port] = config.PROXY_PUBLIC?.split(/:(?=\d+$)/) ?? [new URL(deps.siteUrl()).hostname, String(listeningPort ?? resolveProxyPort(config))]
  return { scheme, host: host!, port: Number(port) }
}
