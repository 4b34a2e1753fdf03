/** What a buyer has bought, as the marketplace reports it. */
export interface Purchase {
  /** The marketplace's own ID of the agreement; it distinguishes purchases. */
  purchase: string;
  customer: string;
  product: string;
}

/** Asks a marketplace what a registration token stands for. */
export interface MarketplaceResolver {
  /** @throws ConsoleError BAD_MARKETPLACE_TOKEN for a token it does not know, MARKETPLACE_SILENT when it has no answer */
  resolve(token: string): Promise<Purchase>;
}
