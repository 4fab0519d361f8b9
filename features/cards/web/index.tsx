const loaders = () => import('./loaders.ts')

/** Loaders of the shell's components, a chunk each. This file is part of the first load, so it holds loaders only. */
export const loadCard = async () => (await loaders()).card()
export const loadCardsTile = async () => (await loaders()).tile()
export const loadOpening = async () => (await loaders()).opening()
export const loadBills = async () => (await loaders()).bills()
