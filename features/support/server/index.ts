import { closeNotifyChannel } from '#platform/server/database/notify-channel.ts'
import { defineFeature, type Deps, type PageSources } from '#platform/server/feature.ts'
import { supportErrors } from '../errors.ts'
import { supportPageTexts } from '../texts.ts'
import { supportDeskRoutes } from './desk/conversations.ts'
import { supportCommands } from './desk/commands.ts'
import { supportConfig } from './config.ts'
import { eraseSupportRecords, exportSupportRecords } from './door.ts'
import { featuresRoute, isFlagOn } from './features-route.ts'
import { supportRoutes } from './routes.ts'
import { supportPanel } from './sandbox/panel.ts'
import { sandboxRoutes } from './sandbox/route.ts'
import { supportSettings, featuresUrl, widgetProvider } from './settings.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { listWidgetSources } from './vendors/index.ts'

/** Hosts that pages may contact: those of the chosen widget, and of the feature flags if they are hosted elsewhere. */
export async function listSupportSources({ settings, config }: Pick<Deps, 'settings' | 'config'>): Promise<PageSources> {
  const sources = listWidgetSources(await settings.get(widgetProvider), config)
  const flags = await settings.get(featuresUrl)
  return flags ? { ...sources, 'connect-src': [...(sources['connect-src'] ?? []), new URL(flags).origin] } : sources
}

const supportJobs: readonly JobSpec[] = [
  { name: 'support.notify-away', everyMs: 5_000, handle: async (deps) => (await import('./verbs/jobs.ts')).notifyAway(deps) },
  { name: 'support.forget-old', cron: '41 19 * * *', handle: async (deps) => (await import('./verbs/sweep-old-records.ts')).sweepOldRecords(deps) },
]

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
