import { bind, defineFeature } from '#platform/server/feature.ts'
import type { Deps } from '#platform/server/feature.ts'
import { deleteTaskFacts, sellService } from '#features/services/server/door.ts'
import { upgradeDeskContract, upgradeDeskErrors } from '../contract.console.ts'
import { upgradeContract } from '../contract.ts'
import { upgradeErrors } from '../errors.ts'
import { deleteOrdersOf } from './data.ts'
import { upgradeReveal } from './desk/reveal.ts'
import { upgradeMails } from './mails.ts'
import { bindTask, bindTaskCardCheck, upgradeForget } from './orders/draft.ts'
import { bindQueue, upgradeLeave, upgradeRelink } from './orders/queue.ts'
import { openAIPlus, openaiQueue, upgradeList, upgradeStatus } from './orders/read.ts'
import { upgradePersonal } from './personal.ts'
import { UPGRADE, upgradeService } from './service.ts'
import { upgradeSettings } from './settings.ts'
import { upgradeServerTexts } from './texts.ts'
import { upgradePort } from './vendors/index.ts'

const verbs = { openAIPlus, bindTask, bindTaskCardCheck, bindQueue, openaiQueue, upgradeStatus, upgradeRelink, upgradeLeave, upgradeForget, upgradeList }

/** Deletes all data about a member who has left. */
async function deleteMemberData({ db }: Deps, { userId }: { userId: string }): Promise<void> {
  await deleteOrdersOf(db, userId)
  await deleteTaskFacts(db, userId, { service: UPGRADE, names: ['account', 'link'] })
}

export const upgrade = defineFeature({
  name: 'upgrade',
  suppliers: [upgradePort],
  texts: upgradeServerTexts,
  errors: upgradeErrors,
  routes: [bind(upgradeContract, verbs)],
  consoleRoutes: [{ ...bind(upgradeDeskContract, { upgradeReveal }), errors: upgradeDeskErrors }],
  events: [...upgradeMails, { event: 'user.deleted', name: 'upgrade', handle: deleteMemberData }],
  settings: upgradeSettings,
  personal: upgradePersonal,
  start: async (deps) => sellService(deps, upgradeService),
})
