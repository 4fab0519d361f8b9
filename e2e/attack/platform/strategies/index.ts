import type { PlatformStrategy } from '../strategy.ts'
import { AUTO } from './auto.ts'
import { DEBTS } from './debts.ts'
import { DISPUTES } from './disputes.ts'
import { EXITS } from './exits.ts'
import { FILES } from './files.ts'
import { GUESSES } from './guesses.ts'
import { IMAGES } from './images.ts'
import { INSIDERS } from './insiders.ts'
import { OPERATORS } from './operators.ts'
import { PASSKEYS } from './passkeys.ts'
import { PHONES } from './phones.ts'
import { REBINDING } from './rebinding.ts'
import { REMOTE } from './remote.ts'
import { UPGRADE_TASKS } from './upgrades.ts'
import { VOICES } from './voices.ts'
import { WEBS } from './webs.ts'

export const PLATFORM_STRATEGIES: readonly PlatformStrategy[] = [
  ...[...REMOTE, ...VOICES, ...AUTO, ...DISPUTES, ...UPGRADE_TASKS],
  ...[...PASSKEYS, ...PHONES, ...IMAGES, ...REBINDING],
  ...[...GUESSES, ...WEBS, ...DEBTS, ...EXITS, ...OPERATORS, ...INSIDERS, ...FILES],
]
