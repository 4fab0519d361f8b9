import { bind } from '#platform/server/feature.ts'
import { autoContract } from '../../contract-auto.ts'
import { autoRecharge } from './verbs/auto-recharge.ts'
import { changeAuto } from './verbs/change-auto.ts'
import { checkAuto } from './verbs/change-auto.ts'
import { resumeAuto } from './verbs/change-auto.ts'
import { startAuto } from './verbs/start-auto.ts'
import { stopAuto } from './verbs/change-auto.ts'

export const autoRoutes = bind(autoContract, { autoRecharge, startAuto, checkAuto, changeAuto, stopAuto, resumeAuto })
