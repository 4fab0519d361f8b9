import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { sellService } from '#features/services/server/door.ts'
import { registrationDeskContract } from '../contract.console.ts'
import { registrationContract } from '../contract.ts'
import { registrationErrors } from '../errors.ts'
import { registrationTexts } from '../texts.ts'
import { forgetDueSecrets, forgetSecret, forgetSecretsByUser, extendRegistrationSecret } from './data.ts'
import { REGISTRATION_SERVICE, registrationSpec } from './service.ts'
import { registrationSettings, retryHours } from './settings.ts'
import { registrationEnv, registrationPort } from './vendors/index.ts'
import { openaiApply, openaiAvailable, openaiCount, openaiList, openaiReapply, registrationReveal, registrationSealed } from './verbs.ts'

const HOUR_MS = 3_600_000

export const registration = defineFeature({
  name: 'registration',
  suppliers: [registrationPort],
  texts: registrationTexts,
  errors: registrationErrors,
  routes: [bind(registrationContract, { openaiCount, openaiApply, openaiReapply, openaiAvailable, openaiList })],
  consoleRoutes: [{ ...bind(registrationDeskContract, { registrationReveal }), errors: serviceErrors }],
  events: [
    {
      event: 'service.moved',
      name: 'registration',
      handle: async (deps: Deps, { service, taskId, phase }: { service: string; taskId: string; phase: string }) => {
        if (service !== REGISTRATION_SERVICE) return
        if (phase === 'done') await forgetSecret(deps.db, taskId)
        if (phase === 'failed')
          await extendRegistrationSecret(deps.db, taskId, new Date(deps.clock.now().getTime() + (await deps.settings.get(retryHours)) * HOUR_MS))
      },
    },
    { event: 'user.deleted', name: 'registration', handle: (deps: Deps, { userId }: { userId: string }) => forgetSecretsByUser(deps.db, userId) },
  ],
  jobs: [{ name: 'registration.secrets', everyMs: 60_000, handle: ({ db }: Deps) => forgetDueSecrets(db) }],
  sealed: registrationSealed,
  settings: registrationSettings,
  config: registrationEnv,
  start: async (deps) => {
    sellService(deps, registrationSpec)
  },
})
