import { closeNotifyChannel } from '#platform/server/database/notify-channel.ts'
import { defineFeature } from '#platform/server/feature.ts'
import { supportErrors } from '../errors.ts'
import { supportPageTexts } from '../texts.ts'
import { supportDeskRoutes } from './desk/read-inbox.ts'
import { supportCommands } from './desk/commands.ts'
import { supportConfig } from './config.ts'
import { eraseSupportRecords, exportSupportRecords } from './door.ts'
import { featuresRoute, isFlagOn } from './features-route.ts'
import { supportJobs } from './jobs.ts'
import { listSupportSources } from './page-sources.ts'
import { supportRoutes } from './routes.ts'
import { supportPanel } from './sandbox/panel.ts'
import { sandboxRoutes } from './sandbox/route.ts'
import { supportSettings } from './settings.ts'

export const support = defineFeature({
  name: 'support',
  texts: supportPageTexts,
  errors: supportErrors,
  routes: [supportRoutes],
  isOn: isFlagOn,
  consoleRoutes: [supportDeskRoutes],
  rawRoutes: [featuresRoute, ...sandboxRoutes],
  sandboxPanels: [supportPanel],
  commands: supportCommands,
  jobs: supportJobs,
  // Deletes the conversations of a closed account.
  events: [{ event: 'user.deleted', name: 'support', handle: ({ db }, { userId }: { userId: string }) => eraseSupportRecords(db, userId) }],
  settings: supportSettings,
  config: supportConfig,
  personal: { exportOf: ({ db }, userId) => exportSupportRecords(db, userId) },
  pageSources: listSupportSources,
  start: async (deps) => () => closeNotifyChannel(deps, 'support'),
})
