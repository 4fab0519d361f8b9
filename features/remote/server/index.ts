import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { endUse } from '#features/proxy/server/door.ts'
import { sellService } from '#features/services/server/door.ts'
import { remoteAllErrors, remoteContract } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { SOCKET_PATH } from '../wire.ts'
import { isRemoteMeant, remoteConfig, remoteConfigOf } from './config.ts'
import { nodes } from './data.ts'
import { remoteSettings } from './settings.ts'
import { REMOTE, remoteService } from './spec.ts'
import { remotePort, suppliersEnv } from './vendors/index.ts'
import * as verbs from './verbs.ts'

interface Moved {
  readonly service: string
  readonly taskId: string
  readonly phase: string
}

/** However a session ends: its way out is closed, its own process being alive or not. */
async function closeWayOut({ db }: Deps, { service, taskId, phase }: Moved): Promise<void> {
  if (service === REMOTE && (phase === 'done' || phase === 'failed')) await endUse(db, 'remote', taskId)
}

/** Machines with an address of their own are reached by pages. */
async function socketSources({ db }: Deps) {
  const known = await nodes(db).catch(() => [])
  const urls = known.flatMap(({ url }) => (url ? [new URL(url).origin.replace(/^http/, 'ws')] : []))
  return urls.length ? { 'connect-src': [...new Set(urls)] } : {}
}

export const remote = defineFeature({
  name: 'remote',
  suppliers: [remotePort],
  texts: remoteTexts,
  errors: remoteAllErrors,
  routes: [bind(remoteContract, verbs)],
  sockets: [
    { path: SOCKET_PATH, role: 'remote', open: (deps, ...upgrade) => void import('./node/run.ts').then(({ openSocket }) => openSocket(deps, ...upgrade)) },
  ],
  settings: remoteSettings,
  config: { ...remoteConfig, ...suppliersEnv },
  events: [{ event: 'service.moved', name: 'remote.way-out', handle: closeWayOut }],
  pageSources: socketSources,
  start: async (deps, roles) => {
    sellService(deps, remoteService)
    return roles.has('remote') && isRemoteMeant(remoteConfigOf(deps)) ? (await import('./node/run.ts')).runRemote(deps) : undefined
  },
})
