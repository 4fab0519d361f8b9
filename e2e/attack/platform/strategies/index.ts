import type { PlatformStrategy } from '../strategy.ts'
import { AUTO_RECHARGE_STRATEGIES } from './auto.ts'
import { DEBT_STRATEGIES } from './debts.ts'
import { DISPUTE_STRATEGIES } from './disputes.ts'
import { PAYOUT_STRATEGIES } from './exits.ts'
import { FILE_STRATEGIES } from './files.ts'
import { GUESS_STRATEGIES } from './guesses.ts'
import { IMAGE_STRATEGIES } from './images.ts'
import { INSIDER_STRATEGIES } from './insiders.ts'
import { OPERATOR_STRATEGIES } from './operators.ts'
import { PASSKEY_STRATEGIES } from './passkeys.ts'
import { PHONE_STRATEGIES } from './phones.ts'
import { REBINDING_STRATEGIES } from './rebinding.ts'
import { REMOTE_BROWSER_STRATEGIES } from './remote.ts'
import { UPGRADE_STRATEGIES } from './upgrades.ts'
import { VOICE_STRATEGIES } from './voices.ts'
import { HTTP_STRATEGIES } from './http.ts'

export const PLATFORM_STRATEGIES: readonly PlatformStrategy[] = [
  ...[...REMOTE_BROWSER_STRATEGIES, ...VOICE_STRATEGIES, ...AUTO_RECHARGE_STRATEGIES, ...DISPUTE_STRATEGIES, ...UPGRADE_STRATEGIES],
  ...[...PASSKEY_STRATEGIES, ...PHONE_STRATEGIES, ...IMAGE_STRATEGIES, ...REBINDING_STRATEGIES],
  ...[...GUESS_STRATEGIES, ...HTTP_STRATEGIES, ...DEBT_STRATEGIES, ...PAYOUT_STRATEGIES, ...OPERATOR_STRATEGIES, ...INSIDER_STRATEGIES, ...FILE_STRATEGIES],
]
