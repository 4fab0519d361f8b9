import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { sellService } from '#features/services/server/door.ts'
import { registrationDeskContract } from '../contract.console.ts'
import { registrationContract } from '../contract.ts'
import { registrationErrors } from '../errors.ts'
import { registrationTexts } from '../texts.ts'
import { forgetSecret, forgetSecretsOf } from './data.ts'
import { REGISTRATION, registrationSpec } from './service.ts'
import { registrationSettings } from './settings.ts'
import { registrationEnv, registrationPort } from './vendors/index.ts'
import { openaiApply, openaiAvailable, openaiCount, openaiList, openaiReapply, registrationReveal, registrationSealed } from './verbs.ts'

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
        if (service === REGISTRATION && (phase === 'done' || phase === 'failed')) await forgetSecret(deps.db, taskId)
      },
    },
    { event: 'user.deleted', name: 'registration', handle: (deps: Deps, { userId }: { userId: string }) => forgetSecretsOf(deps.db, userId) },
  ],
  sealed: registrationSealed,
  settings: registrationSettings,
  config: registrationEnv,
  start: async (deps) => {
    sellService(deps, registrationSpec)
  },
})
