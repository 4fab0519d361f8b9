import { readFileSync } from 'node:fs'
import type { Deps } from '#platform/server/feature.ts'
import { createRepeater } from '#platform/server/repeat.ts'
import { createRandomCode } from '#platform/shared/ids.ts'
import { deleteTunnelShares, deleteProxyNode, countTunnelsElsewhere, selectAuthenticatedUse, addUseTraffic, recordProxyNode, shareTunnels } from './data.ts'
import type { Use } from './data.ts'
import { parseBlockList, listOwnAddresses } from './engine/addresses.ts'
import type { Policy } from './engine/dial.ts'
import type { TunnelAccount } from './engine/guest.ts'
import { createProxyCore } from './engine/proxy-core.ts'
import { resolveAddresses } from './engine/names.ts'
import type { AccountStore } from './engine/proxy-core.ts'
import { serveProxy } from './engine/serve.ts'
import { resolveDialExit, listOpenExits, setListeningPort, readProxyConfig, resolveProxyPort } from './proxy-address.ts'
import { proxyMegabits, proxyMegabytes, proxyRefused, proxyTunnels } from './settings.ts'
import { hashProxyPassword } from './uses/credentials.ts'

/** Check interval: the time for which a tunnel may outlive its password, and the traffic that a crash may lose. */
const LOOK_MS = 1000
/** Heartbeat interval, well within the 15 seconds that `isServed` allows. */
const SEEN_MS = 5000
const PORTS = [80, 443]

/** Starts the forward proxy of this process; resolves to a function that stops it. */
export async function runProxy(deps: Deps): Promise<() => Promise<void>> {
  const config = readProxyConfig(deps)
  if (config.STAGE === 'production' && config.PROXY_TEST_TARGETS.length) throw new Error('PROXY_TEST_TARGETS opens inner addresses: not in production')
  const { PROXY_TLS_CERT: cert, PROXY_TLS_KEY: key } = config
  const tls = cert && key ? { cert: readFileSync(cert, 'utf8'), key: readFileSync(key, 'utf8') } : undefined
  const node = `node_${createRandomCode(10)}`
  const house = createProxyCore(
    createAccountStore(deps, node),
    () => buildPolicy(deps, config.PROXY_TEST_TARGETS),
    () => deps.clock.now().getTime(),
  )
  const server = await serveProxy(house, { port: resolveProxyPort(config), host: config.PROXY_HOST ?? config.HOST, tls })
  setListeningPort(server.port)
  let seenAt = 0
  const look = async () => {
    await house.look()
    if (Date.now() - seenAt < SEEN_MS) return
    seenAt = Date.now()
    await recordProxyNode(deps.db, node, { tunnels: house.tunnels() })
  }
  await look()
  const repeater = createRepeater(deps.log)
  repeater.add('proxy.look', LOOK_MS, look)
  deps.log.info({ proxyPort: server.port }, 'forward proxy listening')
  return async () => {
    await repeater.stop()
    await server.stop()
    await house.look()
    await deleteTunnelShares(deps.db, node)
    await deleteProxyNode(deps.db, node)
    setListeningPort(undefined)
  }
}

/** `node`: id of this process among those that serve the same accounts. */
export function createAccountStore(deps: Pick<Deps, 'db' | 'settings'>, node: string): AccountStore {
  return {
    find: async ({ username, password }) => {
      const use = await selectAuthenticatedUse(deps.db, username, hashProxyPassword(password))
      return use && buildAccount(deps, use, node)
    },
    stillGood: async (open) => {
      const allowed = await readAllowedBytes(deps)
      const held = await shareTunnels(deps.db, node, open)
      return new Map(
        held.map(({ id, moved, tunnels, houses }) => [id, { tunnels: Number(tunnels), houses: Number(houses), bytesLeft: allowed - Number(moved) }]),
      )
    },
    note: (moved) => addUseTraffic(deps.db, moved),
  }
}

const readAllowedBytes = async ({ settings }: Pick<Deps, 'settings'>) => (await settings.get(proxyMegabytes)) * 1_000_000

async function buildAccount(deps: Pick<Deps, 'db' | 'settings'>, use: Use & { readonly moved: bigint }, node: string): Promise<TunnelAccount> {
  const { settings } = deps
  const [tunnels, megabits, allowed, exits, elsewhere] = await Promise.all([
    settings.get(proxyTunnels),
    settings.get(proxyMegabits),
    readAllowedBytes(deps),
    listOpenExits(deps),
    countTunnelsElsewhere(deps.db, node, use.id),
  ])
  return {
    id: use.id,
    expiresAt: use.expiresAt,
    bytesLeft: allowed - Number(use.moved),
    tunnels,
    bandwidth: (megabits * 1_000_000) / 8,
    exit: resolveDialExit(exits, use.exitId),
    elsewhere,
  }
}

/** Builds the target policy. `targets`: exceptions for tests, `address:port` or `name=address:port`. */
async function buildPolicy({ settings }: Pick<Deps, 'settings'>, targets: readonly string[]): Promise<Policy> {
  const named = new Map(
    targets.flatMap((text) => (text.includes('=') ? [[text.split('=')[0]!, text.split('=')[1]!.replace(/:\d+$/, '')]] : [])) as [string, string][],
  )
  return {
    ports: PORTS,
    // Read on each use: a running machine may gain an address, e.g. a floating one
    refused: [listOwnAddresses(), parseBlockList(await settings.get(proxyRefused))],
    except: new Set(targets.map((text) => text.replace(/^.*=/, ''))),
    resolve: async (name) => {
      const known = named.get(name)
      return known ? [known] : resolveAddresses(name)
    },
  }
}
