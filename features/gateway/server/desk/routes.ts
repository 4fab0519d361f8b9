import { bind } from '#platform/server/feature.ts'
import { gatewayDeskContract } from '../../contract-desk.console.ts'
import { readPriceBook, tryPrices } from './read-prices.ts'
import { customerTerms } from '../terms/read.ts'
import { dryRun, readBookDay, readBooks, readUpstreams } from './read-upstreams.ts'

export const deskRoutes = bind(gatewayDeskContract, {
  ...{ upstreams: readUpstreams, dryRun, prices: readPriceBook, tryPrices, customerTerms, books: readBooks, bookDay: readBookDay },
})
