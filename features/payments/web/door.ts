/** Components and hooks for pages of other features. */
export { FundsFigures } from './funds/overview-figures.tsx'
export { RecentMovements } from './funds/recent-movements.tsx'
export { useFundsSummary } from './funds/use-summary.ts'
