import { defineFeature, type Feature } from '#platform/server/feature.ts'
import { announcementCommands } from './announcements/commands.ts'
import { announcementRoutes, createAnnouncementsRoute } from './announcements/read.ts'
import { siteConfig, readSiteConfig } from './config.ts'
import { createPageReportsRoute } from './page-reports.ts'
import { createPolicyReportsRoute } from './policy-reports.ts'
import { countRoutes, buildSiteRoutes } from './routes.ts'
import { securityTxt } from './security-txt.ts'
import { siteSettings } from './settings.ts'
import type { JobSpec } from '#platform/server/jobs.ts'
import { toShanghaiDay } from '#platform/shared/time.ts'
import { deletePageErrors } from './data-pages.ts'
import { deletePolicyReports } from './data.ts'

const KEPT_MS = 30 * 86_400_000

const siteJobs: readonly JobSpec[] = [
  {
    name: 'site.cleanup',
    cron: '41 3 * * *',
    handle: async ({ db, clock }) => {
      const before = toShanghaiDay(clock.now().getTime() - KEPT_MS)
      await deletePolicyReports(db, before)
      await deletePageErrors(db, before)
    },
  },
]

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
