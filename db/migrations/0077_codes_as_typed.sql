-- Codes and numbers of holders are found whatever people put between their signs: blanks, hyphens, dashes. The indexes of the version
-- before serve its searches only, and it has none of these at a till.

drop index holders_found_by_identifier;
drop index instances_found_by_barcode;
create index holders_found_by_identifier on holders
  ((left(workspace_id::text, 13) || translate(folded_identifier, E' -\u00a0\u202f\u2010\u2011\u2012\u2013\u2014\u2015\u2212', ''))
    collate "C", instance_id)
  where folded_identifier is not null;
create index instances_found_by_barcode on instances
  ((left(workspace_id::text, 13) || translate(folded_barcode, E' -\u00a0\u202f\u2010\u2011\u2012\u2013\u2014\u2015\u2212', ''))
    collate "C", instance_id)
  where folded_barcode is not null;
