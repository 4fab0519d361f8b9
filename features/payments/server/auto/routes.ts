import { bind } from '#platform/server/feature.ts'
import { autoContract } from '../../contract-auto.ts'
import { autoRecharge } from './verbs/auto-recharge.ts'
import { changeAuto, checkAuto, resumeAuto, stopAuto } from './verbs/change-auto.ts'
import { startAuto } from './verbs/start-auto.ts'

export const autoRoutes = bind(autoContract, { autoRecharge, startAuto, checkAuto, changeAuto, stopAuto, resumeAuto })
