import { ACCOUNTS } from './accounts.ts'
import { BODIES } from './bodies.ts'
import { INPUT } from './input.ts'
import { LEAVING } from './leaving.ts'
import { MEDIA } from './media.ts'
import { OUTPUT } from './output.ts'
import { SOCKETS } from './sockets.ts'
import { PAUSES } from './pauses.ts'
import type { Strategy } from './strategy.ts'
import { TOOLS } from './tools.ts'

export const STRATEGIES: readonly Strategy[] = [...INPUT, ...OUTPUT, ...TOOLS, ...LEAVING, ...BODIES, ...MEDIA, ...SOCKETS, ...ACCOUNTS, ...PAUSES]
