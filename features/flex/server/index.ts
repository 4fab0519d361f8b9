import { bind, defineFeature } from '#platform/server/feature.ts'
import { sellService } from '#features/services/server/door.ts'
import { voiceContract } from '../contract-voice.ts'
import { flexContract } from '../contract.ts'
import { flexErrors } from '../errors.ts'
import { applyExtension, applySharePlus } from './apply.ts'
import { flexConfig } from './config.ts'
import { shareTrialUrl, shareUrl } from './enter.ts'
import { flexRecords, getPrice, shareUseInfo, shareWindows } from './read.ts'
import { seatCommands } from './seats/commands.ts'
import { syncAccounts } from './seats/sync-accounts.ts'
import { flexService } from './service.ts'
import { flexSettings } from './settings.ts'
import { flexServerTexts } from './texts.ts'
import { sandboxRoutes, seatPort } from './vendors/index.ts'
import { livekitToken, stopVoices, voiceInvite, voiceJoin, voiceLeave, voiceLook, voiceRoom } from './voice/verbs.ts'

export const flex = defineFeature({
  name: 'flex',
  suppliers: [seatPort],
  texts: flexServerTexts,
  errors: flexErrors,
  routes: [
    bind(flexContract, { shareUseInfo, shareWindows, getPrice, applySharePlus, applyExtension, shareUrl, shareTrialUrl, flexRecords, livekitToken }),
    bind(voiceContract, { voiceInvite, voiceLook, voiceJoin, voiceRoom, voiceLeave }),
  ],
  rawRoutes: sandboxRoutes,
  commands: seatCommands,
  jobs: [{ name: 'flex.accounts', everyMs: 60_000, handle: syncAccounts }],
  settings: flexSettings,
  config: flexConfig,
  start: async (deps) => {
    sellService(deps, flexService)
    return stopVoices
  },
})
