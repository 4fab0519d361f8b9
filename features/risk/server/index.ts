import { defineFeature } from '#platform/server/feature.ts'
import { riskJobs } from './jobs.ts'

export const risk = defineFeature({ name: 'risk', jobs: riskJobs })
