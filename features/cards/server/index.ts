import { defineFeature } from '#platform/server/feature.ts'
import { registerMovementFacts } from '#features/wallet/server/door.ts'
import { cardErrors } from '../errors.ts'
import { countIssuedCards } from './cards/data.ts'
import { cardsConfig } from './config.ts'
import { cardMovementFacts } from './funds/movement-facts.ts'
import { cardJobs } from './jobs.ts'
import { cardServerTexts } from './mail-texts.ts'
import { cardMails } from './mails.ts'
import { openingCommands } from './opening/commands.ts'
import { registerCardKinds } from './opening/kinds.ts'
import { cardsPersonal } from './personal.ts'
import { billRoutes, cardRawRoutes, cardRoutes } from './routes.ts'
import { cardSettings } from './settings.ts'
import { listIssuerFrames, listIssuerPageSources, issuerPanels, issuerPort, startIssuers } from './vendors/index.ts'

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
