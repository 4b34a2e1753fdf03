import { z } from 'zod';
import { secureAddress } from './sso.ts';

/** The cloud marketplaces that may send buyers to sign up. */
export const marketplaceSettings = {
  awsMarketplaceProduct: z.string().max(255).optional().meta({
    shown: 'unset',
    meaning:
      'Product code in AWS Marketplace; the fulfilment address to enter there is `PUBLIC_URL/registerFromMarket`.',
  }),
  awsMarketplaceKeyId: z.string().max(128).optional().meta({
    shown: 'unset',
    meaning: 'Access key of the seller account, with the permission `aws-marketplace:ResolveCustomer` and no other.',
  }),
  awsMarketplaceSecret: z.string().max(128).optional().meta({
    shown: 'unset',
    meaning: 'Secret of `AWS_MARKETPLACE_KEY_ID`.',
  }),
  awsMarketplaceRegion: z
    .string()
    .regex(/^[a-z]{2}(-[a-z]+)+-\d$/, 'must be a region such as us-east-1.')
    .default('us-east-1')
    .meta({ shown: '`us-east-1`', meaning: 'Region of the metering service.' }),
  awsMarketplaceUrl: secureAddress.optional().meta({
    shown: '`https://metering.marketplace.` region `.amazonaws.com`',
    meaning: 'Address of the metering service, if it is a different one.',
  }),
  marketplaceLocal: z
    .enum(['on', 'off'], 'must be on or off.')
    .transform((text) => text === 'on')
    .default(false)
    .meta({
      shown: '`off`',
      meaning:
        '`on`, for development: registration tokens of `npm run marketplace -- token` are accepted like those of AWS Marketplace.',
    }),
};

/** Groups of settings that must be set together or not at all. */
export const marketplaceGroups = [['awsMarketplaceProduct', 'awsMarketplaceKeyId', 'awsMarketplaceSecret']] as const;
