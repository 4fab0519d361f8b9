import type { RobotAct } from './act.ts'
import { callActs } from './calls.ts'
import { cardActs } from './cards.ts'
import { leavingActs } from './leaving.ts'
import { openingActs } from './opening.ts'
import { payingActs } from './paying.ts'
import { serviceActs } from './services.ts'
import { accountActs } from './signing-up.ts'

export const ROBOT_ACTS: readonly RobotAct[] = [...payingActs, ...callActs, ...openingActs, ...cardActs, ...serviceActs, ...leavingActs, ...accountActs]
