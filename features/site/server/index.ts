import { defineFeature } from '#platform/server/feature.ts'
import type { Feature } from '#platform/server/feature.ts'
import { announcementCommands } from './announcements/commands.ts'
import { announcementRoutes, announcementsRoute } from './announcements/read.ts'
import { siteConfig, siteConfigOf } from './config.ts'
import { siteJobs } from './jobs.ts'
import { pageReportsRoute } from './page-reports.ts'
import { policyReportsRoute } from './policy-reports.ts'
import { countRoutes, siteRoutesOf } from './routes.ts'
import { securityTxt } from './security-txt.ts'
import { siteSettings } from './settings.ts'

/** The public pages; their documents quote figures of the settings of all other features. */
export function siteOf(others: readonly Feature[]): Feature {
  return defineFeature({
    name: 'site',
    routes: [siteRoutesOf(others.flatMap(({ settings }) => settings ?? [])), countRoutes],
    consoleRoutes: [announcementRoutes],
    commands: announcementCommands,
    rawRoutes: [securityTxt, announcementsRoute(), policyReportsRoute(), pageReportsRoute()],
    jobs: siteJobs,
    settings: siteSettings,
    config: siteConfig,
    pageSources: async ({ config }) => {
      const { EMBED_ORIGINS } = siteConfigOf(config)
      return EMBED_ORIGINS.length ? { 'frame-ancestors': EMBED_ORIGINS } : {}
    },
  })
}
