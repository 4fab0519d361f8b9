import { defineFeature } from '#platform/server/feature.ts'
import { siteRoutes } from './routes.ts'
import { siteSettings } from './settings.ts'

export const site = defineFeature({ name: 'site', routes: [siteRoutes], settings: siteSettings })
