-- A telephone number is compared as it is dialled wherever one is given, by holders_by_number.
drop index holders_by_phone;
