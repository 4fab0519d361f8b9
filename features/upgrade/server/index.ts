import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { cardErrors } from '#features/cards/errors.ts'
import { serviceErrors } from '#features/services/errors.ts'
import { sellService } from '#features/services/server/door.ts'
import { upgradeDeskContract } from '../contract.console.ts'
import { upgradeContract } from '../contract.ts'
import { upgradeErrors } from '../errors.ts'
import { forgetOrdersOf } from './data.ts'
import { upgradeReveal } from './desk/reveal.ts'
import { upgradeMails } from './mails.ts'
import { bindTask, bindTaskCardCheck, upgradeForget } from './orders/draft.ts'
import { bindQueue, upgradeLeave, upgradeRelink } from './orders/queue.ts'
import { openAIPlus, openaiQueue, upgradeList, upgradeStatus } from './orders/read.ts'
import { upgradePersonal } from './personal.ts'
import { upgradeService } from './service.ts'
import { upgradeSettings } from './settings.ts'
import { upgradeServerTexts } from './texts.ts'

const verbs = { openAIPlus, bindTask, bindTaskCardCheck, bindQueue, openaiQueue, upgradeStatus, upgradeRelink, upgradeLeave, upgradeForget, upgradeList }

export const upgrade = defineFeature({
  name: 'upgrade',
  texts: upgradeServerTexts,
  errors: upgradeErrors,
  routes: [bind(upgradeContract, verbs)],
  consoleRoutes: [{ ...bind(upgradeDeskContract, { upgradeReveal }), errors: { ...serviceErrors, ...cardErrors, ...upgradeErrors } }],
  events: [
    ...upgradeMails,
    { event: 'user.deleted', name: 'upgrade', handle: (deps: Deps, { userId }: { userId: string }) => forgetOrdersOf(deps.db, userId) },
  ],
  settings: upgradeSettings,
  personal: upgradePersonal,
  start: async (deps) => sellService(deps, upgradeService),
})
