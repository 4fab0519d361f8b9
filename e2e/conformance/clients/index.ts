import type { ClientDriver } from '../driver.ts'
import { aiSdkDrivers } from './ai-sdk.ts'
import { anthropicDriver } from './anthropic.ts'
import { googleDriver } from './google.ts'
import { langchainDrivers } from './langchain.ts'
import { openaiChatDriver } from './openai-chat.ts'
import { openaiResponsesDriver } from './openai-responses.ts'

export const CLIENT_DRIVERS: readonly ClientDriver[] = [
  openaiChatDriver,
  openaiResponsesDriver,
  anthropicDriver,
  googleDriver,
  ...aiSdkDrivers,
  ...langchainDrivers,
]
