import { ACCOUNT_STRATEGIES } from './accounts.ts'
import { BODY_STRATEGIES } from './bodies.ts'
import { INPUT_STRATEGIES } from './input.ts'
import { DISCONNECT_STRATEGIES } from './leaving.ts'
import { MEDIA_STRATEGIES } from './media.ts'
import { OUTPUT_STRATEGIES } from './output.ts'
import { SOCKET_STRATEGIES } from './sockets.ts'
import { PAUSE_STRATEGIES } from './pauses.ts'
import type { Strategy } from './strategy.ts'
import { HOSTED_TOOL_STRATEGIES } from './tools.ts'

export const STRATEGIES: readonly Strategy[] = [
  ...INPUT_STRATEGIES,
  ...OUTPUT_STRATEGIES,
  ...HOSTED_TOOL_STRATEGIES,
  ...DISCONNECT_STRATEGIES,
  ...BODY_STRATEGIES,
  ...MEDIA_STRATEGIES,
  ...SOCKET_STRATEGIES,
  ...ACCOUNT_STRATEGIES,
  ...PAUSE_STRATEGIES,
]
