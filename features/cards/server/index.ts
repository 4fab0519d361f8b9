import { defineFeature } from '#platform/server/feature.ts'
import { registerMovementFacts } from '#features/wallet/server/door.ts'
import { cardErrors } from '../errors.ts'
import { countIssuedCards } from './cards/data.ts'
import { cardMovementFacts } from './funds/movement-facts.ts'
import { cardServerTexts } from './mail-texts.ts'
import { cardMails } from './mails.ts'
import { openingCommands } from './opening/commands.ts'
import { registerCardKinds } from './opening/kinds.ts'
import { cardsPersonal } from './personal.ts'
import { billRoutes, cardRawRoutes, cardRoutes } from './routes.ts'
import { cardSettings } from './settings.ts'
import { listIssuerFrames, listIssuerPageSources, issuerPanels, issuerPort, startIssuers, issuersEnv } from './vendors/index.ts'
import type { ConfigShape } from '#platform/server/config.ts'
import type { JobSpec } from '#platform/server/jobs.ts'

const cardJobs: readonly JobSpec[] = [
  { name: 'cards.notices', everyMs: 1000, handle: async (deps) => (await import('./notices/receive-notice.ts')).workNotices(deps) },
  { name: 'cards.moves', everyMs: 500, handle: async (deps) => (await import('./money/work-moves.ts')).workMoves(deps) },
  { name: 'cards.cards', everyMs: 500, handle: async (deps) => (await import('./lifecycle/work-cards.ts')).workCards(deps) },
  { name: 'cards.authorizations', everyMs: 5000, handle: async (deps) => (await import('./authorisations/work-auths.ts')).workAuths(deps) },
  { name: 'cards.disputes', everyMs: 5000, handle: async (deps) => (await import('./disputes/converge-dispute.ts')).workDisputes(deps) },
  { name: 'cards.free_requests', everyMs: 60_000, handle: async (deps) => (await import('./members/free-requests.ts')).refundFreeRequests(deps) },
  // 09:00 in Shanghai.
  { name: 'cards.expiry', cron: '0 1 * * *', handle: async (deps) => (await import('./lifecycle/expiry.ts')).processExpiringCards(deps) },
  { name: 'cards.books', cron: '20 2 * * *', handle: async (deps) => (await import('./books/book.ts')).compareCardBooks(deps) },
]

/** Environment variables of all issuers. */
const cardsConfig: ConfigShape = { ...issuersEnv }

export const cards = defineFeature({
  name: 'cards',
  suppliers: [issuerPort],
  texts: cardServerTexts,
  errors: cardErrors,
  routes: [cardRoutes, billRoutes],
  rawRoutes: cardRawRoutes,
  jobs: cardJobs,
  commands: openingCommands,
  events: cardMails,
  personal: cardsPersonal,
  counted: { cards: ({ db }) => countIssuedCards(db) },
  settings: cardSettings,
  config: cardsConfig,
  pageSources: listIssuerPageSources,
  consoleFrames: listIssuerFrames,
  sandboxPanels: issuerPanels,
  start: async (deps, roles) => {
    registerCardKinds(deps)
    registerMovementFacts(cardMovementFacts)
    return startIssuers(deps, roles)
  },
})
