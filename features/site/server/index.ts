import { defineFeature } from '#platform/server/feature.ts'
import type { Feature } from '#platform/server/feature.ts'
import { announcementCommands } from './announcements/commands.ts'
import { announcementRoutes, createAnnouncementsRoute } from './announcements/read.ts'
import { siteConfig, readSiteConfig } from './config.ts'
import { siteJobs } from './jobs.ts'
import { createPageReportsRoute } from './page-reports.ts'
import { createPolicyReportsRoute } from './policy-reports.ts'
import { countRoutes, buildSiteRoutes } from './routes.ts'
import { securityTxt } from './security-txt.ts'
import { siteSettings } from './settings.ts'

/** Feature of the public pages; their documents quote figures from the settings of all other features. */
export function createSiteFeature(others: readonly Feature[]): Feature {
  return defineFeature({
    name: 'site',
    routes: [buildSiteRoutes(others.flatMap(({ settings }) => settings ?? [])), countRoutes],
    consoleRoutes: [announcementRoutes],
    commands: announcementCommands,
    rawRoutes: [securityTxt, createAnnouncementsRoute(), createPolicyReportsRoute(), createPageReportsRoute()],
    jobs: siteJobs,
    settings: siteSettings,
    config: siteConfig,
    pageSources: async ({ config }) => {
      const { EMBED_ORIGINS } = readSiteConfig(config)
      return EMBED_ORIGINS.length ? { 'frame-ancestors': EMBED_ORIGINS } : {}
    },
  })
}
