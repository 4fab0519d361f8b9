const loaders = () => import('./loaders.ts')

/** Loaders of the shell's components, a chunk each. This file is part of the first load, so it holds loaders only. */
export const loadCard = async () => (await loaders()).importCardPage()
export const loadCardsTile = async () => (await loaders()).importCardsTile()
export const loadOpening = async () => (await loaders()).importOpeningPage()
export const loadBills = async () => (await loaders()).importBillsPage()
