import { bind } from '#platform/server/feature.ts'
import { siteContract } from '../contract.ts'
import { siteInfo } from './verbs/site-info.ts'
import { voteHelp } from './verbs/vote-help.ts'

export const siteRoutes = bind(siteContract, { siteInfo, helpVote: voteHelp })
