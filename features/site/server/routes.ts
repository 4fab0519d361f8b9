import { bind } from '#platform/server/feature.ts'
import { siteContract } from '../contract.ts'
import { countsContract } from '../contract-counts.ts'
import { indexCount } from './verbs/index-count.ts'
import { siteInfo } from './verbs/site-info.ts'
import { voteHelp } from './verbs/vote-help.ts'

export const siteRoutes = bind(siteContract, { siteInfo, helpVote: voteHelp })
export const countRoutes = bind(countsContract, { indexCount })
