export interface ScreenedPerson {
  readonly chineseName: string
  readonly lastName: string
  readonly firstName: string
  readonly birthDate: string
}

/** Checks people against the list of those who may not get a card. */
export interface Screening {
  readonly isListed: (person: ScreenedPerson) => Promise<boolean>
}
