import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { endUse } from '#features/proxy/server/door.ts'
import { sellService } from '#features/services/server/door.ts'
import { remoteAllErrors, remoteContract } from '../contract.ts'
import { remoteTexts } from '../texts.ts'
import { REMOTE_SOCKET_PATH } from '../wire.ts'
import { isRemoteConfigured, remoteConfig, readRemoteConfig } from './config.ts'
import { listRemoteNodes } from './data.ts'
import { remoteSettings } from './settings.ts'
import { REMOTE_SERVICE, remoteService } from './spec.ts'
import { remotePort, remoteSuppliersEnv } from './vendors/index.ts'
import * as verbs from './verbs.ts'

interface TaskMove {
  readonly service: string
  readonly taskId: string
  readonly phase: string
}

/** Closes the session's proxy access when it ends, even if its process is gone. */
async function closeExit({ db }: Deps, { service, taskId, phase }: TaskMove): Promise<void> {
  if (service === REMOTE_SERVICE && (phase === 'done' || phase === 'failed')) await endUse(db, 'remote', taskId)
}

/** Pages connect directly to machines that have their own address. */
async function listSocketSources({ db }: Deps) {
  const known = await listRemoteNodes(db).catch(() => [])
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
    {
      path: REMOTE_SOCKET_PATH,
      role: 'remote',
      open: (deps, ...upgrade) => void import('./node/run.ts').then(({ openRemoteSocket }) => openRemoteSocket(deps, ...upgrade)),
    },
  ],
  settings: remoteSettings,
  config: { ...remoteConfig, ...remoteSuppliersEnv },
  events: [{ event: 'service.moved', name: 'remote.way-out', handle: closeExit }],
  pageSources: listSocketSources,
  start: async (deps, roles) => {
    sellService(deps, remoteService)
    return roles.has('remote') && isRemoteConfigured(readRemoteConfig(deps)) ? (await import('./node/run.ts')).runRemote(deps) : undefined
  },
})
