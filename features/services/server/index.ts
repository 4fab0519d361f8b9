import { bind, defineFeature } from '#platform/server/feature.ts'
import { servicesDeskContract } from '../contract.console.ts'
import { servicesContract } from '../contract.ts'
import { serviceErrors } from '../errors.ts'
import { serviceKitTexts } from '../texts.ts'
import { serviceCommands } from './desk/commands.ts'
import { deskQueue, deskTask } from './desk/read.ts'
import { registerMovementFacts } from '#features/wallet/server/door.ts'
import { serviceMovementFacts } from './funds/movement-facts.ts'
import { servicesSettings } from './kit/settings.ts'
import { serviceMails } from './mails.ts'
import { servicesPersonal } from './personal.ts'
import { serviceCatalogue, serviceGiveUp, serviceHub, serviceTaskInfo, serviceTasks } from './records/read.ts'

registerMovementFacts(serviceMovementFacts)

export const services = defineFeature({
  name: 'services',
  texts: serviceKitTexts,
  errors: serviceErrors,
  routes: [bind(servicesContract, { serviceCatalogue, serviceHub, serviceTasks, serviceTaskInfo, serviceGiveUp })],
  consoleRoutes: [bind(servicesDeskContract, { deskQueue, deskTask })],
  commands: serviceCommands,
  jobs: [{ name: 'services.work', everyMs: 500, handle: async (deps) => (await import('./kit/work.ts')).workTasks(deps) }],
  events: serviceMails,
  settings: servicesSettings,
  personal: servicesPersonal,
})
