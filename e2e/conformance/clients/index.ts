import type { Client } from '../driver.ts'
import { aiSdk } from './ai-sdk.ts'
import { anthropic } from './anthropic.ts'
import { google } from './google.ts'
import { langchain } from './langchain.ts'
import { openaiChat } from './openai-chat.ts'
import { openaiResponses } from './openai-responses.ts'

export const CLIENTS: readonly Client[] = [openaiChat, openaiResponses, anthropic, google, ...aiSdk, ...langchain]
