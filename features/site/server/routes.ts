import { bind } from '#platform/server/feature.ts'
import type { Setting } from '#platform/server/settings.ts'
import { siteContract } from '../contract.ts'
import { countsContract } from '../contract-counts.ts'
import { indexCount } from './verbs/index-count.ts'
import { createSiteFigures } from './verbs/site-figures.ts'
import { siteInfo } from './verbs/site-info.ts'
import { voteHelp } from './verbs/vote-help.ts'

/** `known`: the settings of all features, which documents quote. */
export const buildSiteRoutes = (known: readonly Setting[]) => bind(siteContract, { siteInfo, siteFigures: createSiteFigures(known), helpVote: voteHelp })
export const countRoutes = bind(countsContract, { indexCount })
