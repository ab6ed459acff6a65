-- Barcodes of tills that read no Code 128: EAN-13, Code 39, Codabar and ITF.

alter table passes
  drop constraint passes_barcode_format_check,
  add constraint passes_barcode_format_check
    check (barcode_format in ('qr', 'pdf417', 'aztec', 'code128', 'ean13', 'code39', 'codabar', 'itf'));
